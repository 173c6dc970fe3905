/** In this order: what stands later changes what stands before. */
import "./styles/base.css";
import "./styles/door.css";
import "./styles/shell.css";
import "./styles/page.css";
import "./styles/tokens.css";
import "./styles/parts.css";
import "./styles/sandbox.css";
import "./styles/account.css";
