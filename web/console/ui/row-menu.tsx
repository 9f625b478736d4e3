/** The menu at the end of a row or of a group of buttons, with the actions for what is shown there. */
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useTexts } from '../texts/dictionary.ts';
import { Icon } from './icon.tsx';
import { Ellipsis, type IconPath } from './icons.ts';

export interface MenuItem<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly icon: IconPath;
  readonly isDangerous?: boolean;
}

interface RowMenuProps<Name extends string> {
  readonly of: string;
  readonly items: readonly MenuItem<Name>[];
  readonly onChoose: (name: Name) => void;
}

export const RowMenu = <Name extends string>({ of, items, onChoose }: RowMenuProps<Name>): JSX.Element => {
  const { frame } = useTexts();
  const chosen = useRef<Name | undefined>(undefined);
  const trigger = useRef<HTMLElement | null>(null);
  return (
    <wa-dropdown
      placement="bottom-end"
      onwa-select={(event: Event) => {
        const { value } = (event as CustomEvent<{ item: { value: string } }>).detail.item;
        chosen.current = items.find(({ name }) => name === value)?.name;
      }}
      // The closing menu returns the focus. Run the action only then: the menu would take the focus from its dialog.
      onwa-after-hide={() => {
        const name = chosen.current;
        chosen.current = undefined;
        if (name === undefined) return;
        // A dialog returns the focus to where it was. The menu item is hidden by then, so focus the menu's button.
        trigger.current?.focus();
        onChoose(name);
      }}
    >
      <wa-button
        ref={(button: HTMLElement) => {
          trigger.current = button;
        }}
        slot="trigger"
        appearance="plain"
        size="s"
      >
        <Icon of={Ellipsis} />
        <span class="unseen">{frame.actionsFor(of)}</span>
      </wa-button>
      {items.map(({ name, label, icon, isDangerous }) => (
        <wa-dropdown-item key={name} value={name} variant={isDangerous ? 'danger' : 'default'}>
          <Icon of={icon} slot="icon" />
          {label}
        </wa-dropdown-item>
      ))}
    </wa-dropdown>
  );
};
