import "./board.css";
import "./card.css";
import "./details.css";
import "./order-types.css";
import "#kit/print.css";
