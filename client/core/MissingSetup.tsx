import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { integrationRoutes, type Integrations } from '@matterdesk/contract/integrations.ts';
import { buttonClass } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { integrations } from './firm.ts';
import { paths } from './paths.ts';
import { useAppSelector } from './store.ts';
import { useResource } from './use-resource.ts';

interface MissingSetupProps {
  icon: LucideIcon;
  /** The server's sentence, for users who cannot change it. */
  sentence: string;
  /** The name for admins, and what they do about it. */
  title: string;
  children: ReactNode;
  guide: Parameters<typeof paths.help>[0];
  /** The link to the guide. */
  link: string;
}

/** In place of a page whose service is not connected yet: what to do, with the guide to it. */
export function MissingSetup({ icon, sentence, title, children, guide, link }: MissingSetupProps) {
  const isAdmin = useAppSelector((state) => state.user.current?.role === 'admin');
  if (!isAdmin) return <EmptyState icon={icon} title={sentence} />;
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        <Link to={paths.help(guide)} className={buttonClass({ variant: 'primary' })}>
          {link}
        </Link>
      }
    >
      {children}
    </EmptyState>
  );
}

const fetched = integrations.fetchedBy((_, { read }) => read(integrationRoutes.listIntegrations));
/** Assumed when the check fails; the page's own calls then report what is wrong. */
const UNKNOWN: Integrations = { google: null, twilio: null };

/** Missing settings of the integrations, checked on each connection; undefined until known. */
export function useIntegrations(): Integrations | undefined {
  const { data, failure } = useResource(fetched, 'all');
  return data ?? (failure ? UNKNOWN : undefined);
}
