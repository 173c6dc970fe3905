/** A path of the contract, `/items/{item}`, as Fastify writes it. */
export const routePath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");
