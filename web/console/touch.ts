/** Whether somebody uses the page: what is read again regularly is read less often while nobody does. */

const events = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'scroll', 'focus'] as const;

/** Listeners are called at most so often, in ms. */
const everyMs = 1000;

let touchedAt = Date.now();
const listeners = new Set<() => void>();

const touch = (): void => {
  const before = touchedAt;
  touchedAt = Date.now();
  if (touchedAt - before >= everyMs) for (const listener of [...listeners]) listener();
};
for (const event of events) addEventListener(event, touch, { passive: true, capture: true });

/** Returns how long nobody has touched the page, in ms. */
export const untouchedMs = (): number => Date.now() - touchedAt;

/** Calls `listener` when somebody touches the page, until the returned function is called. */
export const followTouches = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
