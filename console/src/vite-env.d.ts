declare module 'virtual:world-map' {
  const map: { width: number; height: number; countries: Record<string, string> };
  export default map;
}

declare module 'virtual:permissions' {
  const permissions: Partial<Record<string, import('../plugins/permissions').Permission>>;
  export default permissions;
}
