/** Values that know where they came from: YAML with file, line and column, properties with their origin. All problems are collected and thrown once. */
@NullMarked
package siemload.config;

import org.jspecify.annotations.NullMarked;
