export function compose(url: URL): string;
