import ContactRound from 'lucide-react/icons/contact-round';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { useResource } from '../../../core/use-resource.ts';
import { hasAddress } from '../rules.ts';
import { contactSearch } from '../slice.ts';

/** The contact that an email address or a phone number belongs to, if there is one. */
export function ContactLink({ address }: { address: string }) {
  const { data } = useResource(contactSearch, address === '' ? null : address);
  const contact = data?.contacts.find((each) => hasAddress(each, address));
  if (!contact) return null;
  return (
    <Link
      to={paths.contact(contact.id)}
      className="inline-flex min-h-6 max-w-full items-center gap-1.5 text-sm text-ink-2 hover:text-ink hover:underline"
    >
      <ContactRound className="size-3.5!" />
      <span className="sr-only">Contact: </span>
      <span className="truncate">{contact.name}</span>
    </Link>
  );
}
