/** The mails in the mailbox of a local stack, which shows what was really sent. */
import * as v from 'valibot';

const storeSchema = v.object({
  emails: v.array(
    v.object({
      destination: v.object({ to: v.array(v.string()) }),
      body: v.object({ text: v.string() }),
      /** Epoch seconds. */
      at: v.number(),
    }),
  ),
});

export type MailboxMail = v.InferOutput<typeof storeSchema>['emails'][number];

/** Returns all mails, oldest first. @param mailbox URL in `stack.json` */
export const mailsIn = async (mailbox: string): Promise<readonly MailboxMail[]> =>
  v.parse(storeSchema, await (await fetch(`${mailbox}/store`)).json()).emails;

/** Returns the number of mails that each address got. */
export const mailsByAddress = (mails: readonly MailboxMail[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { destination } of mails) for (const to of destination.to) counts.set(to, (counts.get(to) ?? 0) + 1);
  return counts;
};
