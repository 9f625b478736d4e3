/** The exit code with which `stack.ts` asks `dev.ts` for a restart; no other part of the stack ends with it. */
export const restartCode = 75;
