package io.onefold.server.config;

import org.yaml.snakeyaml.nodes.Node;

/**
 * A value and its place.
 *
 * @param where a file and line, or an option of the command line
 */
record ConfigValue(Node node, String where) {}
