/** What a webhook is called, for people: the console and the command line show the same. Browsers use this file too. */

/** Returns a readable name of a webhook: its own, or the host and path that it posts to. */
export const webhookName = ({
  name,
  target_url,
}: {
  readonly name: string | null;
  readonly target_url: string;
}): string => name ?? target_url.replace(/^https?:\/\//, '');
