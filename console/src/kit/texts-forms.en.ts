/** Texts of forms: what is not saved yet, and rows of periods. */
export const enForms = {
  /** Changes of a page that are not saved yet. */
  draft: {
    discard: "Discard",
    unsaved: "Changes are not saved",
    faster: "{{who}} changed this in the meantime. Your changes are not saved.",
    fasterUnknown: "This was changed in the meantime. Your changes are not saved.",
    showPresent: "Show what is saved now",
    leaveTitle: "Leave without saving?",
    leaveLead: "Your changes are lost.",
    leave: "Leave",
  },
  hoursFields: {
    periodsNone: "No period: guests cannot book.",
    days: "Days",
    weekdays: { mon: "Mon", tue: "Tue", wed: "Wed", thu: "Thu", fri: "Fri", sat: "Sat", sun: "Sun" },
    from: "From",
    to: "To",
    addPeriod: "Add a period",
    removePeriod: "Remove period {{number}}",
    periodOf: "Period {{number}}",
    daysMissing: "Choose at least one day.",
    timeMissing: "Enter a time.",
  },
};
