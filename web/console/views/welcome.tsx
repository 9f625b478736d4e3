/** The first view of a member who administers nothing: names the publication and the next steps. */
import type { JSX } from 'preact';
import type { User } from '../api/resources.ts';
import { canInvite } from '../member.ts';
import { linkTo } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Icon } from '../ui/icon.tsx';
import { Pencil, Send, UserPlus } from '../ui/icons.ts';
import { Mark, site } from '../ui/publication.tsx';

export const Welcome = ({ member }: { readonly member: User }): JSX.Element => {
  const { staff } = useTexts();
  const role = staff.roleName(member.roles?.[0]?.name);
  return (
    <section class="panel welcome" aria-labelledby="welcome">
      <div class="title">
        <Mark />
        <h2 id="welcome">{staff.welcome(site.name, member.name)}</h2>
      </div>
      <p>{staff.welcomeRole(role, site.name)}</p>
      <ul class="steps">
        <li>
          <Icon of={Send} /> <a href={site.url}>{staff.welcomeSite(site.name)}</a>
        </li>
        <li>
          <Icon of={Pencil} /> <a href={linkTo(['staff', 'access'])}>{staff.welcomeName}</a>
        </li>
        {canInvite(member) && (
          <li>
            <Icon of={UserPlus} /> <a href={linkTo(['staff', 'invitations', 'new'])}>{staff.welcomeInvite}</a>
          </li>
        )}
      </ul>
      <p class="quiet">{staff.welcomeHelp(canInvite(member))}</p>
    </section>
  );
};
