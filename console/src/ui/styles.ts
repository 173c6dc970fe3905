/** The order matters: later files override earlier ones. */
import "./styles/base.css";
import "./styles/signed-out-layout.css";
import "./styles/shell.css";
import "./styles/page.css";
import "./styles/tokens.css";
import "./styles/components.css";
import "./styles/action-menu.css";
import "./styles/bottom-place.css";
import "./styles/sandbox.css";
import "./styles/account.css";
