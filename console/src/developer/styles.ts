/** In this order: the narrow screens at the end change what stands before. */
import "./styles/frame.css";
import "./styles/webhooks.css";
import "./styles/deliveries.css";
import "./styles/logs.css";
