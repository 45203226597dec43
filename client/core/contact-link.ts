import { createContext, type ReactNode } from 'react';

/** Renders a link to the contact that an email address or a phone number belongs to. */
export type ContactLinkOf = (address: string) => ReactNode;

/** Pages provide it to features that cannot import contacts. */
export const ContactLinkContext = createContext<ContactLinkOf | null>(null);
