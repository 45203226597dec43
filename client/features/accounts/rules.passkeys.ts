/** Whether passkeys work on this page: browsers bind them to a name, and only of a safe page. */
export function canUsePasskeys(): boolean {
  const isAddress = /^[\d.]+$|:/.test(location.hostname);
  return 'PublicKeyCredential' in globalThis && isSecureContext && !isAddress;
}
