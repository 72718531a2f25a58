/** Stands in the build for parts of MUI's buttons that are never rendered: the theme switches ripples off, and busy buttons bring their own picture. */
const NotRendered = (): null => null;
export default NotRendered;
