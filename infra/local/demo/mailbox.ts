/** The mails in a running stack's mailbox. */
import * as v from 'valibot';
import type { StackFile } from '../home.ts';

const storeSchema = v.object({
  emails: v.array(
    v.object({
      from: v.string(),
      subject: v.string(),
      destination: v.object({ to: v.array(v.string()) }),
      body: v.object({ text: v.string() }),
    }),
  ),
});

export type Mail = v.InferOutput<typeof storeSchema>['emails'][number];

/** Returns every mail that was sent, oldest first. */
export const sentMails = async ({ mailbox }: Pick<StackFile, 'mailbox'>): Promise<readonly Mail[]> => {
  const response = await fetch(`${mailbox}/store`);
  return v.parse(storeSchema, await response.json()).emails;
};
