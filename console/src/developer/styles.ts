/** The order matters: later files override earlier ones. */
import "./frame.css";
import "./webhooks.css";
import "./deliveries.css";
import "./logs.css";
