/** What users say. In: YAML files, properties, variables of the environment. Out: {@link siemload.config.Settings} and values that know their place. All problems are collected and thrown once. */
@NullMarked
package siemload.config;

import org.jspecify.annotations.NullMarked;
