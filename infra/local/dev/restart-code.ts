/** The exit code with which `stack.ts` asks `dev.ts` for a restart; no other part of the stack uses it. */
export const restartCode = 75;
