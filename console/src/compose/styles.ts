/** The order matters: later files override earlier ones. */
import "#kit/base.css";
import "#shell/signed-out-layout.css";
import "#shell/shell.css";
import "#shell/page.css";
import "#developer/tokens.css";
import "#kit/components.css";
import "#kit/action-menu.css";
import "#kit/bottom-place.css";
import "#developer/sandbox.css";
import "#account/account.css";
