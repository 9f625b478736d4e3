/** Reads the id of a webhook from the command line. */
import { UsageError } from '../../command-line/exit-codes.ts';

/**
 * Returns the parser of an argument or option that is the id of a webhook.
 * @param name as the help writes it, such as `--webhook`
 */
export const webhookId =
  (name: string) =>
  (text: string): string => {
    if (/^[0-9a-f]{24}$/.test(text)) return text;
    throw new UsageError(
      `${name} is '${text}'; it must be the id of a webhook: 24 lower-case hex characters. npm run ops -- webhooks list shows the ids beside the names.`,
    );
  };
