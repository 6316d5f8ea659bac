# The version is exact, so that the same commit gives the same image. A tag can still be moved. To prevent that, pin the digest
# too (NODE_IMAGE=mirror.example.com/node:24.21.0-bookworm-slim@sha256:…).
#
# Node 24 is used, although 20.19 suffices, because its AsyncLocalStorage costs almost nothing. That carries the deadline and trace of
# every request. Debian is used, because the embedded PostgreSQL of a checkout is built for glibc, and tests and image share a system.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
# Packages and sources have separate layers, because packages change less often.
COPY package.json package-lock.json ./
COPY console/package.json ./console/
# Optional packages contain the compiler of the console for this processor.
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/bundle.mjs scripts/agent-pages.mjs ./scripts/
COPY openapi.json ./
COPY docs ./docs
COPY clients/typescript/src ./clients/typescript/src
COPY console ./console
COPY src ./src
# The programs are bundled into dist, and the console is built into dist/console.
RUN npm run build

FROM ${NODE_IMAGE} AS packages
WORKDIR /build
COPY package.json package-lock.json ./
# The embedded PostgreSQL is an optional dependency. The image leaves it out, so DATABASE_URL must be set.
# Type declarations and source maps are a third of the packages, and nothing reads them at run time. The same is true of copies for
# browsers, and of the sources of RxJS.
# The console's packages are only needed to build it.
RUN npm ci --omit=dev --omit=optional --workspaces=false --no-audit --no-fund \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && rm -r node_modules/typeorm/browser node_modules/class-validator/bundles node_modules/rxjs/src

FROM ${NODE_IMAGE} AS production
ARG VERSION=0.1.0
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="Signpost" \
      org.opencontainers.image.description="Deep links on your own infrastructure: a management API and the link traffic itself" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.licenses="UNLICENSED" \
      org.opencontainers.image.base.name="docker.io/library/node:24.21.0-bookworm-slim"
ENV NODE_ENV=production
WORKDIR /app
# All files belong to root and none is written, so the root file system may be read-only.
COPY --from=packages /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY package.json ./
COPY migrations ./migrations
# A number, so that Kubernetes sees that the user is not root (runAsNonRoot). Any other number works as well.
USER 10001:10001
# The service, and the metrics if METRICS_PORT=9464 is set.
EXPOSE 3000 9464
# Checks only the process, because a restart cannot repair a database. Kubernetes ignores this check and has separate probes.
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Node runs without npm or a shell, so that SIGTERM reaches it. The image needs no tini. Process 1 has no default action for
# SIGTERM, but main.ts installs a handler first, and no children have to be reaped.
CMD ["node", "dist/main.js"]
