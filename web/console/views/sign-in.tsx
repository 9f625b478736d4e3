/** The sign-in view: a link by mail, or the access token of a staff member. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/problem.ts';
import { continueSession, requestLink, signInWithKey } from '../session.ts';
import { useTexts } from '../texts/dictionary.ts';
import { isThisMachine } from '../this-machine.ts';
import { Icon } from '../ui/icon.tsx';
import { KeyRound, Mail, MailCheck } from '../ui/icons.ts';
import { Problem } from '../ui/states.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useAction } from '../use-action.ts';

export const SignIn = (): JSX.Element => {
  const { signIn } = useTexts();
  return (
    <main id="content" class="sign-in" tabIndex={-1}>
      <h1>{signIn.title}</h1>
      <ByMail />
      <ByKey />
    </main>
  );
};

/** How often to check, in ms, because the link in a mail opens in another tab. */
const lookEvery = 3000;

/** Covers the view of a member whose session has ended. The view and everything typed stay below it. */
export const SignInAgain = (): JSX.Element => {
  const { signIn } = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    // Must be above the view's dialogs, one of which may be open.
    dialog.current?.showModal();
    const look = (): void => {
      if (!document.hidden) continueSession().catch(() => {});
    };
    const timer = setInterval(look, lookEvery);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="cover"
      aria-labelledby="sign-in-again"
      // Escape would close this dialog, or a dialog of the view below.
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
      }}
      onClose={() => dialog.current?.showModal()}
    >
      <div class="sign-in">
        <h1 id="sign-in-again">{signIn.title}</h1>
        <wa-callout variant="warning" role="status">
          {signIn.expired}
        </wa-callout>
        <ByMail />
        <ByKey />
      </div>
    </dialog>
  );
};

const ByMail = (): JSX.Element => {
  const { signIn } = useTexts();
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string>();
  const { run, isRunning, error } = useAction(async () => {
    await requestLink(email.trim());
    setSentTo(email.trim());
  });
  if (sentTo !== undefined)
    return (
      <section class="panel" role="status">
        <h2>
          <Icon of={MailCheck} /> {signIn.sentTitle}
        </h2>
        <p>{signIn.sent(sentTo)}</p>
        {isThisMachine && <p>{signIn.sentHere}</p>}
        <wa-button appearance="plain" onClick={() => setSentTo(undefined)}>
          {signIn.again}
        </wa-button>
      </section>
    );
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <TextField
        type="email"
        autocomplete="email"
        isRequired
        takesFocus
        label={signIn.email}
        hint={signIn.emailHint}
        value={email}
        onInput={setEmail}
      />
      <wa-button type="submit" variant="brand" loading={isRunning}>
        <Icon of={Mail} slot="start" />
        {signIn.send}
      </wa-button>
      {error !== undefined && <Problem error={error} />}
    </form>
  );
};

const keyForm = /^[0-9a-f]{24}:[0-9a-f]{64}$/;

const ByKey = (): JSX.Element => {
  const { signIn } = useTexts();
  const [key, setKey] = useState('');
  const [hasWrongForm, setHasWrongForm] = useState(false);
  const { run, isRunning, error } = useAction(async () => {
    const isKey = keyForm.test(key.trim());
    setHasWrongForm(!isKey);
    if (isKey) await signInWithKey(key.trim());
  });
  const isOfIntegration = error instanceof ApiError && error.status === 403;
  return (
    <details class="panel">
      <summary>{signIn.orKey}</summary>
      <form
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <TextField type="password" isRequired label={signIn.key} hint={signIn.keyHint} value={key} onInput={setKey} />
        <wa-button type="submit" loading={isRunning}>
          <Icon of={KeyRound} slot="start" />
          {signIn.withKey}
        </wa-button>
        {hasWrongForm && (
          <p class="mistake" role="alert">
            {signIn.keyForm}
          </p>
        )}
        {!hasWrongForm && isOfIntegration && (
          <p class="mistake" role="alert">
            {signIn.notStaff}
          </p>
        )}
        {!hasWrongForm && error !== undefined && !isOfIntegration && <Problem error={error} />}
      </form>
    </details>
  );
};
