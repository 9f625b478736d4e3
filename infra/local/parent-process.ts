/** Notices the end of the process that started this one. */

/** In ms. */
const checkedEvery = 500;

/**
 * Calls `ended` once when the parent process has ended. npm passes SIGTERM on to the shell between them only; `exec`, which would replace
 * that shell, does not exist on Windows.
 */
export const onParentEnd = (ended: () => void, parent: () => number = () => process.ppid): void => {
  const first = parent();
  const timer = setInterval(() => {
    if (parent() === first) return;
    clearInterval(timer);
    ended();
  }, checkedEvery);
  timer.unref();
};
