/** Notices the end of the process that started this one. */

/** In ms. */
const checkedEvery = 500;

/** Calls `ended` once when the parent has ended: npm passes SIGTERM on to a shell only, and Windows has no `exec`. */
export const onParentEnd = (ended: () => void, parent: () => number = () => process.ppid): void => {
  const first = parent();
  const timer = setInterval(() => {
    if (parent() === first) return;
    clearInterval(timer);
    ended();
  }, checkedEvery);
  timer.unref();
};
