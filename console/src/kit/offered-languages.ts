/** The languages that a venue can choose for its texts: those that guests of restaurants read most, the most frequent first. */
export const OFFERED_LANGUAGES = "en ar de es fr it pt nl tr ru uk pl el sv he fa hi ur zh ja ko".split(" ");
