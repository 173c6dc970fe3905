/** The order matters: later files override earlier ones. */
import "./styles/frame.css";
import "./styles/webhooks.css";
import "./styles/deliveries.css";
import "./styles/logs.css";
