/** Asks for another address, one's own or somebody's: it changes once the new address's link is confirmed. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { change } from '../api/client.ts';
import type { User } from '../api/resources.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';

interface ChangeAddressProps {
  readonly member: User;
  readonly onClose: () => void;
}

export const ChangeAddress = ({ member, onClose }: ChangeAddressProps): JSX.Element => {
  const { staff } = useTexts();
  const [email, setEmail] = useState(member.email);
  const save = async (): Promise<void> => {
    await change('POST', `/admin/users/${member.id}/email/`, { emails: [{ email: email.trim() }] });
    announce(staff.addressAsked(email.trim(), email.trim().toLowerCase() === member.email.toLowerCase()));
  };
  return (
    <Confirm label={staff.addressOf(member.name)} action={staff.mailLink} act={save} onClose={onClose}>
      <p>{staff.addressHelp(member.email)}</p>
      <TextField isRequired type="email" label={staff.newAddress} value={email} onInput={setEmail} />
    </Confirm>
  );
};
