import type { FactPatterns } from '../translate/types.ts';

/** Questions for facts about a recording. */
export const chineseFacts: FactPatterns = {
  language: 'Chinese',
  video: '(?:这个|这段|该|本|此)?(?:视频|录像|影片|片子)',
  facts: {
    'how long is the video': [
      'VIDEO(?:的)?(?:有|是)?(?:多长|多久|多长时间|时长|长度)(?:是多少)?',
      '(?:视频)?(?:时长|长度)',
    ],
    'when was the video recorded': [
      '(?:VIDEO|这)?是?(?:什么时候|何时|哪天)(?:录制|拍摄|录|拍)的',
      '(?:录制|拍摄)(?:时间|日期)',
    ],
    'what is the resolution': ['(?:VIDEO的?)?分辨率(?:是多少)?'],
    'what is the frame rate': ['(?:VIDEO的?)?帧率(?:是多少)?'],
    'which codec': ['(?:VIDEO的?)?(?:是什么|什么)?(?:编码|编解码器)(?:格式)?(?:是什么)?'],
    'what is the file size': ['(?:VIDEO的?)?(?:文件大小|大小)(?:是多少)?', 'VIDEO有?多大'],
    'what file type is it': ['(?:VIDEO的?)?(?:文件类型|文件格式|格式)(?:是什么)?'],
    'is there sound on this': ['VIDEO?(?:有没有|有)(?:声音|音频)(?:吗)?'],
    'what camera was used': ['(?:VIDEO)?(?:是)?用什么(?:相机|摄像机|设备)(?:拍|录|拍摄|录制)的'],
    'how many shots are there': ['(?:VIDEO)?有?(?:多少|几)个?镜头'],
    'is it dark': ['(?:现在|这)?是(?:晚上|夜晚|夜里|黑夜)吗?', '天黑了?吗?', '(?:画面)?(?:暗|很暗|黑暗)吗'],
    'is it daytime': ['是白天吗?'],
    'is the picture black': ['(?:画面|屏幕)是?(?:全)?黑(?:的|屏)?吗?'],
    'does the camera move': ['(?:相机|摄像头|镜头|摄像机)(?:在动|移动|动)了?吗?'],
    'is the camera still': ['(?:相机|摄像头|镜头|摄像机)(?:是)?(?:静止|固定)的?吗?'],
  },
};
