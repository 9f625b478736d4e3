/** Reads what was entered into a control of Web Awesome. */

/** Returns the value of the control that an event comes from; an empty one if nothing is chosen. */
export const inputValue = (event: Event): string => {
  const { value } = event.currentTarget as EventTarget & { readonly value?: unknown };
  return typeof value === 'string' ? value : '';
};
