/** Converts v4 to v3: a boolean shows whether a post is mailed, pages have no mail fields, members Stripe's. */
import { type Body, changeParts, type Fields, omit } from './body.ts';

/**
 * Adds `send_email_when_published` to posts, removes mail from pages (Ghost 4 api/v3, mapper.js, 0a7f4f6d), and gives
 * members `stripe.subscriptions` for `subscriptions` and `products` (members.js `serializeMember`, 2a956587).
 */
export const toV3 = (body: Body): Body => {
  const post = changeParts(body, 'post', withSendEmail);
  const page = changeParts(post, 'page', (fields) => omit(fields, ['email_subject', 'email_recipient_filter']));
  return changeParts(page, 'member', withStripe);
};

const withSendEmail = (fields: Fields): Fields => {
  if (!('email_recipient_filter' in fields)) return fields;
  return { ...fields, send_email_when_published: fields.email_recipient_filter !== 'none' };
};

const withStripe = (fields: Fields): Fields => {
  const others = omit(fields, ['subscriptions', 'products']);
  return 'subscriptions' in fields ? { ...others, stripe: { subscriptions: fields.subscriptions } } : others;
};
