/** Whether the console is that of a local stack, so that hints can name what `npm start` has printed. */
export const isThisMachine = /^(?:localhost$|127\.|\[::1\]$)/.test(location.hostname);
