/**
 * Half of the page states.
 *
 * @long: it is among the longest.
 */
import { testPageStates } from "./page-states-tests.ts";

testPageStates(1);
