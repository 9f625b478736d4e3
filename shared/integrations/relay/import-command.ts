/** The command that compares a Ghost site with a stage or moves its webhooks. Browsers use this file too. */

/** Characters that no shell interprets. */
const plain = /^[\w@%+=:,./-]+$/;

/** Returns a text as one word of a POSIX shell. */
const quoted = (text: string): string => (plain.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Returns the URL of a site, for a shell; undefined if the text is no URL that a site can have. */
const wordOf = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, hostname, href } = new URL(text);
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return undefined;
  // The URL parser accepts hosts that are not valid DNS names.
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])$/.test(hostname)) return undefined;
  return quoted(href.replace(/\/$/, ''));
};

/** The import names an integration `Ghost <URL without its scheme>`; anyone may have renamed it since. */
const siteOf = (name: string): string | undefined => {
  const [, address] = /^Ghost (\S+)$/.exec(name) ?? [];
  return address === undefined ? undefined : wordOf(`https://${address}`);
};

/** Whether a URL is of this machine. */
export const isLoopback = (url: string): boolean =>
  /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(new URL(url).hostname);

/** Returns the command. @param site integration's name, or URL @param baseUrl of the stage; left out if local */
export const importCommand = (
  site: string,
  baseUrl: string,
  act: '--check' | '--apply' | '--apply --switch' | '--undo',
): string => {
  const from = wordOf(site) ?? siteOf(site) ?? '<site>';
  const url = URL.canParse(baseUrl) && isLoopback(baseUrl) ? '' : ` --url ${quoted(baseUrl)}`;
  return `npm run ops -- import-ghost --from ${from} --token-file <file>${url} ${act}`;
};
