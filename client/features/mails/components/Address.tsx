/** An e-mail address; where it is too long for its line it breaks before the @ first. */
export function Address({ of: address }: { of: string }) {
  const at = address.lastIndexOf('@');
  return (
    <span className="wrap-anywhere">
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </span>
  );
}
