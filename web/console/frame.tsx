/** The frame around all views: header, navigation, preferences, and the view of the address. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { baseUrl } from './api/client.ts';
import type { User } from './api/resources.ts';
import { language, theme, themes, useLanguage, useTheme } from './preferences.ts';
import { linkTo, mayLeave, usePlace } from './router.ts';
import { type Session, signOut, useMember, useSession } from './session.ts';
import { useTexts } from './texts/dictionary.ts';
import { languages } from './texts/section.ts';
import { Announcer } from './ui/announcer.tsx';
import { Icon } from './ui/icon.tsx';
import { Languages, LogOut, UserRound } from './ui/icons.ts';
import { Mark, site } from './ui/publication.tsx';
import { Problem, Skeleton } from './ui/states.tsx';
import { useAction } from './use-action.ts';
import { OpenRecovery } from './views/recovery.tsx';
import { SignIn, SignInAgain } from './views/sign-in.tsx';
import { homeOf, views } from './views/views.ts';

export const Frame = (): JSX.Element => {
  const { frame } = useTexts();
  const session = useSession();
  const member = useMember();
  return (
    <>
      <header class="top" style={{ '--accent': site.accentColor }}>
        <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
          {frame.skip}
        </button>
        <Brand />
        <Preferences />
        {member !== undefined && <Account member={member} />}
      </header>
      {member !== undefined && <Navigation member={member} />}
      <Content session={session} />
      {session.state === 'expired' && <SignInAgain />}
      <OpenRecovery />
      <Announcer />
    </>
  );
};

const Brand = (): JSX.Element => {
  const { frame } = useTexts();
  return (
    <a class="brand" href={linkTo([])}>
      <Mark />
      <span>
        {site.name}
        <small class="quiet">{frame.product}</small>
      </span>
    </a>
  );
};

const Content = ({ session }: { readonly session: Session }): JSX.Element => {
  if (session.state === 'signed in' || session.state === 'expired')
    return <CurrentView key={session.user.id} member={session.user} />;
  if (session.state === 'signed out') return <SignIn />;
  return (
    <main id="content" tabIndex={-1}>
      {session.state === 'starting' ? (
        <Skeleton />
      ) : (
        <Problem error={session.error} onRetry={() => location.reload()} />
      )}
    </main>
  );
};

interface MemberProps {
  readonly member: User;
}

const CurrentView = ({ member }: MemberProps): JSX.Element => {
  const { frame } = useTexts();
  const place = usePlace();
  const home = homeOf(member);
  const [name = home] = place.parts;
  const view = views.find((candidate) => candidate.name === name);
  const path = place.parts.join('/');
  useEffect(() => {
    document.title = view === undefined ? frame.product : `${frame.views[view.name]} · ${frame.product}`;
  }, [view, frame]);
  // As on a page load, scroll and focus were the previous view's. Synchronous, or it would steal a control's focus.
  const previous = useRef(path);
  useLayoutEffect(() => {
    if (previous.current === path) return;
    previous.current = path;
    scrollTo(0, 0);
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [path]);
  if (view === undefined)
    return (
      <Main>
        <h1>{frame.unknownView}</h1>
        <p>{frame.unknownViewHelp}</p>
        <p>
          <a href={linkTo([])}>{frame.toStart}</a>
        </p>
      </Main>
    );
  return (
    <Main>
      <view.Content place={place} />
    </Main>
  );
};

const Main = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <main id="content" tabIndex={-1}>
    {children}
    <p class="foot">
      <Documentation />
    </p>
  </main>
);

const Documentation = (): JSX.Element => <a href={`${baseUrl}/admin/docs/`}>{useTexts().frame.documentation}</a>;

const Navigation = ({ member }: MemberProps): JSX.Element => {
  const { frame } = useTexts();
  const { parts } = usePlace();
  const [current = homeOf(member)] = parts;
  const links = useRef<HTMLElement>(null);
  // On a phone the links are wider than the window.
  useEffect(() => {
    links.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav class="views" aria-label={frame.navigation} ref={links}>
      {views
        .filter(({ isFor }) => isFor(member))
        .map(({ name, icon }) => (
          <a key={name} href={linkTo([name])} {...(current === name && { 'aria-current': 'page' as const })}>
            <Icon of={icon} />
            <span>{frame.views[name]}</span>
          </a>
        ))}
      <span class="at-end">
        <Documentation />
      </span>
    </nav>
  );
};

const Preferences = (): JSX.Element => {
  const { frame } = useTexts();
  const chosenLanguage = useLanguage();
  const chosenTheme = useTheme();
  return (
    <wa-dropdown
      class="preferences"
      onwa-select={(event: Event) => {
        const { value } = (event as CustomEvent<{ item: { value: string } }>).detail.item;
        const nextLanguage = languages.find((one) => one === value);
        const nextTheme = themes.find((one) => one === value);
        if (nextLanguage !== undefined) language.choose(nextLanguage);
        if (nextTheme !== undefined) theme.choose(nextTheme);
      }}
    >
      <wa-button slot="trigger" appearance="plain" size="s">
        <Icon of={Languages} />
        <span class="unseen">{frame.preferences}</span>
      </wa-button>
      <h3>{frame.language}</h3>
      {languages.map((one) => (
        <wa-dropdown-item key={one} type="checkbox" value={one} checked={one === chosenLanguage} lang={one}>
          {frame.languages[one]}
        </wa-dropdown-item>
      ))}
      <h3>{frame.theme}</h3>
      {themes.map((one) => (
        <wa-dropdown-item key={one} type="checkbox" value={one} checked={one === chosenTheme}>
          {frame.themes[one]}
        </wa-dropdown-item>
      ))}
    </wa-dropdown>
  );
};

const Account = ({ member }: MemberProps): JSX.Element => {
  const { frame, staff } = useTexts();
  const { run, isRunning } = useAction(async () => mayLeave() && signOut());
  const { name, roles } = member;
  const label = frame.signedInAs(name, staff.roleName(roles?.[0]?.name));
  return (
    <div class="account">
      <span class="who" title={label}>
        <Icon of={UserRound} />
        <span>{name}</span>
      </span>
      <wa-button appearance="plain" size="s" loading={isRunning} onClick={run}>
        <Icon of={LogOut} slot="start" />
        <span>{frame.signOut}</span>
      </wa-button>
    </div>
  );
};
