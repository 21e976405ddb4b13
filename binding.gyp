# SPDX-License-Identifier: MIT
# For prebuildify and node-gyp; CMakeLists.txt builds the same files for development.
{
  "targets": [
    {
      "target_name": "anycl",
      "sources": ["<!@(node -p \"['src', 'src/async', 'src/cl', 'src/events', 'src/napi', 'src/objects', 'src/remote', 'src/workarounds'].flatMap((d) => fs.readdirSync('native/' + d).filter((f) => f.endsWith('.cc')).map((f) => 'native/' + d + '/' + f)).join(' ')\")"],
      "include_dirs": ["<!@(node -p \"require('node-addon-api').include\")"],
      "defines": ["NAPI_VERSION=8", "NAPI_CPP_EXCEPTIONS"],
      "cflags_cc": ["-std=c++17", "-Wall", "-Wextra", "-fvisibility=hidden"],
      "cflags!": ["-fno-exceptions"],
      "cflags_cc!": ["-fno-exceptions", "-fno-rtti"],
      "xcode_settings": {
        "GCC_ENABLE_CPP_EXCEPTIONS": "YES",
        "CLANG_CXX_LANGUAGE_STANDARD": "c++17",
        "MACOSX_DEPLOYMENT_TARGET": "11.0"
      },
      "msvs_settings": { "VCCLCompilerTool": { "ExceptionHandling": 1, "AdditionalOptions": ["/std:c++17"] } }
    }
  ]
}
