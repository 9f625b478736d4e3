/** The command that compares a Ghost site with a stage or moves its webhooks, as the command line and the console show it. Browsers use this file too. */

/** The import names an integration `Ghost <URL without its scheme>`; a person may have given it another name. */
const siteOf = (name: string): string => {
  const [, address] = /^Ghost (\S+)$/.exec(name) ?? [];
  return address === undefined ? '<site>' : `https://${address}`;
};

/** Whether a URL is of this machine. */
export const isLoopback = (url: string): boolean =>
  /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(new URL(url).hostname);

/** Returns the command. @param site the name of its integration, or its URL  @param baseUrl of the stage; one on this machine is found by itself */
export const importCommand = (site: string, baseUrl: string, act: '--check' | '--apply --switch'): string => {
  const from = URL.canParse(site) ? site : siteOf(site);
  const url = URL.canParse(baseUrl) && isLoopback(baseUrl) ? '' : ` --url ${baseUrl}`;
  return `npm run ops -- import-ghost --from ${from} --key <token>${url} ${act}`;
};
