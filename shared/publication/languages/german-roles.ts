/** Ghost's roles in German, in a file of their own because the console shows them too. */
export const germanRoles: Readonly<Record<string, string>> = {
  Owner: 'Inhaberin oder Inhaber',
  Administrator: 'Administration',
  'Super Editor': 'Redaktionsleitung',
  Editor: 'Redaktion',
  Author: 'Autorin oder Autor',
  Contributor: 'Freie Mitarbeit',
};
