/** Reads the value entered into a Web Awesome control. */

/** Returns the value of the control that sent an event; empty if nothing is chosen. */
export const inputValue = (event: Event): string => {
  const { value } = event.currentTarget as EventTarget & { readonly value?: unknown };
  return typeof value === 'string' ? value : '';
};
