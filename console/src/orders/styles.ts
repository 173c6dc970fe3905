import "./styles/board.css";
import "./styles/card.css";
import "./styles/details.css";
import "./styles/order-types.css";
import "./styles/print.css";
