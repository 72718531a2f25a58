/** What can have the focus in a row. */
export const CONTROLS = "a[href], button:not(:disabled), input:not(:disabled), [role=button], time[tabindex]";
