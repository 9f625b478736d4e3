/** The only place where commands write text for people and scripts. Text from outside must not control the terminal. */

/** C0 except tab and line feed, DEL, C1, and what changes the direction of text (Unicode, UAX 9) or breaks lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are replaced
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns a text with its control characters as `\u001b`; inside JSON strings this is an equivalent text. */
const harmless = (text: string): string => text.replace(controls, escaped);

/** Returns a text on one line without control characters, because names, addresses and answers come from others. */
export const visible = (text: string): string => harmless(text).replace(/[\t\n]/g, escaped);

/** Prints a text to standard output. */
export const print = (text: string): void => console.log(harmless(text));

/** Prints a text to standard error. */
export const printError = (text: string): void => console.error(harmless(text));
