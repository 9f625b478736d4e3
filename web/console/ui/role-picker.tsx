/** A choice of roles, the highest first, with what the chosen one may do. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Role } from '../api/resources.ts';
import { useTexts } from '../texts/dictionary.ts';
import { inputValue } from './input-value.ts';

interface RolePickerProps {
  readonly roles: readonly Role[];
  readonly value: string;
  readonly onPick: (id: string) => void;
}

export const RolePicker = ({ roles, value, onPick }: RolePickerProps): JSX.Element => {
  const { staff } = useTexts();
  const id = useId();
  const chosen = roles.find((role) => role.id === value);
  return (
    <div class="field">
      <label for={id}>{staff.role}</label>
      <select id={id} value={value} aria-describedby={`${id}-line`} onChange={(event) => onPick(inputValue(event))}>
        {roles.map((role) => (
          <option key={role.id} value={role.id}>
            {staff.roleName(role.name)}
          </option>
        ))}
      </select>
      <span class="quiet" id={`${id}-line`}>
        {chosen && (staff.roleLines[chosen.name] ?? chosen.description)}
      </span>
    </div>
  );
};
