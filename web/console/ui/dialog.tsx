/** A dialog that buttons, Escape and the close button close. The focus then returns to the element that opened it. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../texts/dictionary.ts';
import { useAction } from '../use-action.ts';
import { Problem } from './states.tsx';

interface DialogProps {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly footer?: ComponentChildren;
}

/** The dialog is open as long as it is rendered. */
export const Dialog = ({ label, onClose, children, footer }: DialogProps): JSX.Element => {
  useFocusReturn();
  return (
    <wa-dialog
      label={label}
      open
      // A dropdown or a callout inside the dialog sends the same event.
      onwa-after-hide={(event: Event) => event.target === event.currentTarget && onClose()}
    >
      <div class="dialog-content">{children}</div>
      {footer !== undefined && (
        <div slot="footer" class="actions">
          {footer}
        </div>
      )}
    </wa-dialog>
  );
};

/** Returns the focus when the dialog is removed without being hidden, unless another element has it by then. */
const useFocusReturn = (): void => {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Only once the dialog has left the document: until then nothing outside it can be focused.
      queueMicrotask(() => {
        if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
      });
    },
    [opener],
  );
};

interface ConfirmProps {
  readonly label: string;
  readonly children: ComponentChildren;
  readonly action: string;
  readonly isDangerous?: boolean;
  /** Whether the action is not possible yet; the content shows what is missing. */
  readonly isDisabled?: boolean;
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Whether something else follows a success in the place of the dialog. */
  readonly staysOpen?: boolean;
}

/** Asks before an action, closes after a success, and shows why a failed action failed. */
export const Confirm = ({
  label,
  children,
  action,
  isDangerous,
  isDisabled = false,
  act,
  onClose,
  staysOpen = false,
}: ConfirmProps): JSX.Element => {
  const { frame } = useTexts();
  const { run, isRunning, error } = useAction(async () => {
    await act();
    if (!staysOpen) onClose();
  });
  return (
    <Dialog
      label={label}
      onClose={onClose}
      footer={
        <>
          <wa-button appearance="plain" onClick={onClose}>
            {frame.cancel}
          </wa-button>
          <wa-button variant={isDangerous ? 'danger' : 'brand'} loading={isRunning} disabled={isDisabled} onClick={run}>
            {action}
          </wa-button>
        </>
      }
    >
      {children}
      {error !== undefined && <Problem error={error} />}
    </Dialog>
  );
};
