/** Invites an address on a running stack and finds the link in the mailbox. */
import * as v from 'valibot';
import { eventually } from './eventual.ts';
import type { RunningStack } from './parts-running-stack.ts';

const mailbox = v.object({
  emails: v.array(
    v.object({ destination: v.object({ to: v.array(v.string()) }), body: v.object({ text: v.string() }) }),
  ),
});

/** Invites an address as an Author with the Owner's key, and waits for its mail. */
export const inviteOn = async (
  { stack, call }: RunningStack,
  email: string,
): Promise<{ readonly id: string; readonly url: string }> => {
  const roles = await call('GET', '/admin/roles/', { key: stack.adminKey });
  const { id: role_id } = roles.body.roles.find(({ name }: { name: string }) => name === 'Author');
  const made = await call('POST', '/admin/invites/', { key: stack.adminKey, body: { invites: [{ email, role_id }] } });
  if (made.status !== 201) throw new Error(`inviting was answered with ${made.status}: ${made.text}`);
  const url = await eventually(`a mail to ${email}`, async () => {
    const { emails } = v.parse(mailbox, await (await fetch(`${stack.mailbox}/store`)).json());
    const mail = emails.find(({ destination }) => destination.to.includes(email));
    return /http\S+\/invitation\/\S+/.exec(mail?.body.text ?? '')?.[0];
  });
  return { id: made.body.invites[0].id, url };
};
