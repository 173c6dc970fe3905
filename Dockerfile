# One image for every role: `api`, `worker`, `all`, and the operator's commands.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY cells/package.json cells/
COPY console/package.json console/
COPY conformance/package.json conformance/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY contract contract
COPY server server
COPY cells cells
COPY console console
COPY docs docs
COPY sdk/README.md sdk/
RUN npm run build
# The packaged Node and PostgreSQL are for development: this image brings its own Node, and the database is elsewhere.
RUN npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
# Port 4001 is the operator's: publish it nowhere.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 OPS_HOST=0.0.0.0 OPS_PORT=4001
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/contract contract
COPY --from=build /app/server server
COPY --from=build /app/cells cells
COPY --from=build /app/console/dist console/dist
COPY --from=build /app/docs docs
COPY --from=build /app/sdk/README.md sdk/
USER node
EXPOSE 4000 4001
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 CMD ["node", "server/src/healthcheck.ts"]
ENTRYPOINT ["node"]
CMD ["server/src/main.ts", "all"]
