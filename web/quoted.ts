/** Quotes a text in single quotes, in which a shell leaves every character except the quote unchanged. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
