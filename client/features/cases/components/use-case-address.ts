import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** The dialog with all activity, opened and closed through the address. */
export function useActivityAddress() {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const state = useLocation().state as { isFromCase?: boolean } | null;
  const close = () => {
    if (state?.isFromCase) void navigate(-1);
    else setParams({}, { replace: true });
  };
  return { isOpen: params.get('activity') === 'all', close };
}

/** The dialog that says who sees the case, opened and closed through the address. */
export function useAccessAddress() {
  const [params, setParams] = useSearchParams();
  return {
    isOpen: params.get('access') === '1',
    open: () => setParams({ access: '1' }),
    close: () => setParams({}, { replace: true }),
  };
}
